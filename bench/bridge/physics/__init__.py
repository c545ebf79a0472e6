"""Physics and pictures of the embedded driver. Knows nothing of drivers, clients or pytest."""
