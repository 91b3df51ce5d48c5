"""What saves say of themselves, so that they live on: states, sessions and results that are read after their rules have
changed.

    save → what it was written under (`header.py`) → what its names are called now (`former_names.py`) → what no longer
    fits, value by value (`api/adopt_state.py`) → a plan (`plan.py`), which tells what is taken up and what somebody
    must decide

No value of a save is lost or changed unless somebody says so: what the rules no longer hold is kept aside, in the state
and in every later save of it.
"""
