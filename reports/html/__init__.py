"""The offline page: one folder that opens from disk, without a server or network."""
