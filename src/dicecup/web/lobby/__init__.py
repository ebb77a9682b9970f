"""The lobby over the network: its WebSocket and its requests."""
