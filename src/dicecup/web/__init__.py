"""HTTP and WebSocket server for the tables of `dicecup.hosting`."""
