"""Attention checks for sheets of human judgments: a plain sentence, and the same words in no order at all.

Nobody who reads them can hesitate, whatever variety of English they speak. They resemble no paradigm of BLiMP.
"""

from __future__ import annotations

CHECKS: tuple[tuple[str, str], ...] = (
    ("My neighbor waters the tomatoes every evening.", "Every tomatoes neighbor evening the waters my."),
    ("The bus to the station was late again.", "Late the was to station bus again the."),
    ("Please leave your wet shoes by the door.", "Door your by shoes please the wet leave."),
    ("We had soup and fresh bread for lunch.", "Bread lunch for had and we soup fresh."),
    ("The baker opens his shop at six.", "Six at shop his baker opens the."),
    ("It rained so hard that the cellar flooded.", "Flooded that hard it cellar the rained so."),
    ("I forgot my umbrella on the train.", "Train umbrella on my the forgot I."),
    ("Both windows of the kitchen face the garden.", "Face of garden windows the both the kitchen."),
    ("Her uncle repairs old clocks in the attic.", "Attic old in uncle clocks the her repairs."),
    ("The library closes early on Saturdays.", "Saturdays early the on closes library."),
    ("They painted the fence green last spring.", "Green last painted spring they fence the."),
    ("A cold wind blew across the empty square.", "Square empty a the blew cold across wind."),
    ("The nurse wrote the number on a card.", "Card a nurse the on number wrote the."),
    ("You can park behind the town hall.", "Hall behind park the you town can."),
    ("Our old cat sleeps under the piano.", "Piano cat the old under our sleeps."),
    ("He carried both suitcases up the stairs.", "Stairs up both he the suitcases carried."),
    ("The soup needs a little more salt.", "Salt a soup more the needs little."),
    ("She planted three apple trees behind the barn.", "Barn apple behind three trees she the planted."),
    ("The children built a hut from branches.", "Branches a children from hut the built."),
    ("My brother learned to swim in this lake.", "Lake in to my this learned swim brother."),
    ("The last ferry leaves at half past nine.", "Nine the past last at leaves half ferry."),
    ("I keep the spare key in a drawer.", "Drawer a key I in the spare keep."),
    ("The meeting lasted longer than we had planned.", "Planned the longer had than meeting we lasted."),
    ("Snow covered the roofs of the village.", "Village the of covered the snow roofs."),
)
"""Good and bad of each check."""
