-- What a board, a forecast and the home page add up is read from this index alone, in the order of what they group by:
-- of 100,000 opportunities 10 MB instead of 47.
create index opportunities_by_sum on opportunities (team_id, stage, currency, close_date) include (amount, lead_id)
  where deleted_at is null;
