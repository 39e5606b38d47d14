"""Games between players.

players    the Player protocol; players that move at random, by search, perfectly, or by asking a person
arena      single games and matches of several games between two players
tournament matches and tournaments from many openings, with ratings, checkpoints and players that may fail
"""
