"""How hypothesis runs here: with no limit on an example's time, whatever else the machine does."""

from hypothesis import settings

settings.register_profile("untimed", parent=settings(), deadline=None)
settings.load_profile("untimed")
