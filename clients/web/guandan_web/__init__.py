"""The web page, as static files: what a server needs is where they are."""

from guandan_web.files import static

__all__ = ["static"]
