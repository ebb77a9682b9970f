"""Tables without a server: the messages of the WebSocket and the requests of a page, answered by
one process.

`room` is the entrance. The room runs in browsers: it needs the standard library alone, and no
network, thread, event loop, wall clock or random number. The caller hands in the store, the time,
the key of the dice and the engine.
"""
