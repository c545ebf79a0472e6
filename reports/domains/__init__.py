"""What each domain adds to reports: one folder a domain, found by its name."""
