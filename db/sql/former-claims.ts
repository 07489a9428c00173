/** The function with which workers of release 0.2.0 claim follow-ups. */
export const formerClaims = [
  `
    create function claim_follow_ups(
      ids uuid[], leases uuid[], lease_seconds integer[], sweep_grace_seconds integer, portfolio_mails_per_hour integer
    ) returns table (
      id uuid, lease uuid, state text, kind text, recipient text, message_id text, attempts integer,
      lead_id uuid, lead_kind text, lead_created_at timestamptz
    ) language plpgsql as $$
    #variable_conflict use_column
    begin
      -- Two claims for one address must not both see room for one more email. In one order, so that neither waits for the
      -- other; mail hosts deliver whatever the letters' case, so the case makes no other address.
      perform pg_advisory_xact_lock(address_key)
      from (
        select distinct hashtextextended(lower(f.recipient), 0) as address_key
        from unnest(ids) as wanted (id)
        join follow_ups f on f.id = wanted.id
        where f.kind = 'portfolio_pdf'
        order by address_key
      ) as addresses;

      return query
      with due as materialized (
        select f.id, f.kind, lower(f.recipient) as address, wanted.lease, wanted.seconds,
               l.kind as lead_kind, l.created_at as lead_created_at
        from (
          select distinct on (id) id, lease, seconds
          from unnest(ids, leases, lease_seconds) as each (id, lease, seconds)
        ) as wanted
        join follow_ups f on f.id = wanted.id
        left join leads l on l.id = f.lead_id
        where f.state in ('pending', 'sending') and f.available_at <= now()
        -- A row that is locked is being settled or claimed.
        for update of f skip locked
      ), ruled as (
        select due.*, due.kind = 'portfolio_pdf' and portfolio_mails_per_hour < (
          select count(*) from follow_ups other
          where other.kind = 'portfolio_pdf' and lower(other.recipient) = due.address
            and other.state in ('sending', 'sent')
            and (other.state = 'sending' or other.sent_at > now() - interval '1 hour')
            and other.id not in (select due.id from due)
        ) + row_number() over (partition by due.kind, due.address order by due.id) as is_capped
        from due
      )
      update follow_ups f set
        state = case when is_capped then 'withheld' else 'sending' end,
        lease = case when is_capped then null else ruled.lease end,
        attempts = f.attempts + case when is_capped then 0 else 1 end,
        available_at = case when is_capped then f.available_at else now() + make_interval(secs => ruled.seconds) end,
        sweep_at = case
          when is_capped then f.sweep_at else now() + make_interval(secs => ruled.seconds + sweep_grace_seconds)
        end,
        server_answer = case
          when is_capped then 'Not mailed: the address had its portfolio mails of this hour' else f.server_answer
        end,
        updated_at = now()
      from ruled
      where f.id = ruled.id
      returning f.id, f.lease, f.state, f.kind, f.recipient, f.message_id, f.attempts,
                f.lead_id, ruled.lead_kind, ruled.lead_created_at::timestamptz;
    end
    $$
  `,
];
