"""The conformance kit: what every game must keep, checked on the game itself.

`papamu conformance <slug or module>` runs it; so do the project's own tests on every game of the registry. A check is a
function that yields one sentence per failure. Checks of the wire run when the game has one.
"""

from engines.conformance.kit import CHECKS, Check, run, subject
from engines.conformance.walk import Effort, Subject

__all__ = ["CHECKS", "Check", "Effort", "Subject", "run", "subject"]
