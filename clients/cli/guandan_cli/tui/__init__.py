"""The table on the full screen: the same things and the same keys as on the web page.

`session` hears the server, `selection` and `columns` are about the own hand, one module for each
thing that is seen draws it, and `app` brings them together. Imported only by the commands that
show it, for Textual takes a moment to load.
"""
