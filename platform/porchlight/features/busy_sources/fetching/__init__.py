"""Getting calendar files from other servers, whose addresses anyone may have typed."""
