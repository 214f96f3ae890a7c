"""Errors of passes, check-ins and attendance, with their messages for people."""

from __future__ import annotations

from tenants.kit.errors import Conflict


class AttendanceClosed(Conflict):
    """The session has not ended, or ended more than 48 hours ago."""

    code = "attendance_closed"
    message = "You can mark a session as missed for 48 hours after it ends."


class AlreadyCheckedIn(Conflict):
    """The people of a booking are checked in; the message says when and by which device."""

    code = "already_checked_in"
    message = "They're checked in already. Undo the check-in first."


class CheckInEarly(Conflict):
    """The day of the session has not come."""

    code = "check_in_early"
    message = "Check-in opens on the day of the session."


class CheckInClosed(Conflict):
    """The session was over for two days."""

    code = "check_in_closed"
    message = "You can check people in until 48 hours after their session."


class MarkedMissed(Conflict):
    """The guru has recorded that the person did not come."""

    code = "marked_missed"
    message = "You marked this session as missed. Undo that first, then check them in."


class PassInvalid(Conflict):
    """The text is no pass, or its signature is not ours."""

    code = "pass_invalid"
    message = "This isn't a Porchlight pass. Ask to see the pass in their session."


class PassOfOtherGuru(Conflict):
    """The pass is for a session of another guru."""

    code = "pass_of_other_guru"
    message = "This pass is for another guru's session."


class PassOutdated(Conflict):
    """The booking has changed since the pass was shown to the person."""

    code = "pass_outdated"
    message = "Their session changed after this pass was made. Ask them to open it again, or tap their name."


class PassEnded(Conflict):
    """The booking of the pass was canceled."""

    code = "pass_ended"
    message = "The session of this pass doesn't take place: it was canceled."


class PassOfOtherDay(Conflict):
    """The pass is for another day; the message says which."""

    code = "pass_of_other_day"
    message = "This pass is for another day."


class NoPass(Conflict):
    """The session has no pass: it is not booked, or was canceled."""

    code = "no_pass"
    message = "This session has no pass. You get one when it is booked."
