"""Competition on a server: what compares people by skill."""
