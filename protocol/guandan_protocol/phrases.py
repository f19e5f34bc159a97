"""What people can say to each other: a few phrases by their codes, which nobody has to moderate."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Phrase"]


class Phrase(StrEnum):
    """Quick phrases, as they are heard over a card table. Clients have the words for each."""

    HELLO = "hello"
    """Hello everybody. 大家好！"""
    GOOD_LUCK = "good_luck"
    """Good luck to you all. 祝各位好运！"""
    WELL_PLAYED = "well_played"
    """Well played. 打得好！"""
    NICE = "nice"
    """What a beautiful hand. 漂亮！"""
    THANKS = "thanks"
    """Thank you. 谢谢！"""
    SORRY = "sorry"
    """Sorry, my mistake. 不好意思，失误了。"""
    HURRY = "hurry"
    """Hurry up a little. 快一点吧！"""
    THINKING = "thinking"
    """Let me think for a moment. 稍等，让我想想。"""
    MY_LEAD = "my_lead"
    """Leave this one to me. 这轮我来！"""
    YOUR_LEAD = "your_lead"
    """Partner, it is up to you. 对家，看你的了！"""
    GOOD_GAME = "good_game"
    """It was a pleasure to play with you. 合作愉快！"""
    AGAIN = "again"
    """One more? 再来一局？"""
