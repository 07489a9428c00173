import { maxLength } from '@dune-tide/domain/limits';
import { advisoryLocks } from '../src/connection/index.ts';
import { checks, lengthOf } from './statements.ts';

/** The limits and opt-outs of automatic emails (docs/PRODUCT.md, "Email limits"). */
export const emailLimits = [
  ...checks('email_opt_outs', { email_opt_outs_mailbox_length: lengthOf('mailbox', 3, maxLength.email) }),
  // Mail hosts ignore the case, most ignore a tag after "+", and Gmail ignores dots.
  `
    create function mailbox_of(address text) returns text language sql immutable parallel safe return
      case
        when lower(address) ~ '@(gmail|googlemail)\\.com$'
        then replace(split_part(regexp_replace(lower(address), '^([^@+]+)\\+[^@]*@', '\\1@'), '@', 1), '.', '') || '@gmail.com'
        else regexp_replace(lower(address), '^([^@+]+)\\+[^@]*@', '\\1@')
      end
  `,
  /*
   * Claims follow-ups for a worker, and withholds or collects those that must not be sent now. It is a function because
   * the recent emails must be counted after the lock is held: each statement of a function sees everything that was
   * committed before it started. The limits have the shape of `emailLimits` (domain/src/limits.ts); null turns them off.
   */
  `
  create function claim_within_limits(
    ids uuid[], leases uuid[], lease_seconds integer[], sweep_grace_seconds integer, visitor_kinds text[], limits jsonb
  ) returns table (
    id uuid, outcome text, lease uuid, kind text, recipient text, message_id text, attempts integer, lead_id uuid,
    withheld_reason text
  ) language plpgsql as $$
  #variable_conflict use_column
  declare
    due_ids uuid[];
    withheld_ids uuid[] := '{}';
    withheld_reasons text[] := '{}';
    collected_ids uuid[] := '{}';
    reason text;
    email record;
    open_digest uuid;
  begin
    -- Two claims must not both see room for one more email.
    if limits is not null then
      perform pg_advisory_xact_lock(${advisoryLocks.emailLimits});
      delete from recent_emails where id in (
        select r.id from recent_emails r where r.claimed_at < now() - interval '1 day' order by r.claimed_at limit 200
      );
    end if;

    -- A row that is locked is being settled or claimed.
    select coalesce(array_agg(locked.id), '{}') into due_ids
    from (
      select f.id from follow_ups f
      where f.id = any (ids) and f.state in ('pending', 'sending') and f.available_at <= now()
      for update skip locked
    ) as locked;

    for email in
      select f.id, f.kind, f.retried_at is not null as is_retried, mailbox_of(f.recipient) as mailbox,
             substring(lower(f.recipient) from '[^@]*$') as domain
      from follow_ups f
      where f.id = any (due_ids) and f.kind = any (visitor_kinds)
        and (limits is not null or exists (select from email_opt_outs o where o.mailbox = mailbox_of(f.recipient)))
      order by f.id
    loop
      reason := case
        when exists (select from email_opt_outs o where o.mailbox = email.mailbox) then 'opted_out'
        -- Staff decided that it is sent.
        when email.is_retried then null
        when email.kind = 'portfolio_pdf' and (limits ->> 'portfolioPerHour')::integer <= (
          select count(*) from recent_emails r
          where r.mailbox = email.mailbox and r.claimed_at > now() - interval '1 hour'
            and r.kind = 'portfolio_pdf' and r.id <> email.id
        ) then 'portfolio_limit'
        when (limits ->> 'mailboxPerHour')::integer <= (
          select count(*) from recent_emails r
          where r.mailbox = email.mailbox and r.claimed_at > now() - interval '1 hour'
            and r.kind = any (visitor_kinds) and r.id <> email.id
        ) or (limits ->> 'mailboxPerDay')::integer <= (
          select count(*) from recent_emails r
          where r.mailbox = email.mailbox and r.claimed_at > now() - interval '1 day'
            and r.kind = any (visitor_kinds) and r.id <> email.id
        ) then 'mailbox_limit'
        when case
          when limits -> 'sharedDomains' @> to_jsonb(email.domain) then (limits ->> 'sharedDomainPerHour')::integer
          else (limits ->> 'domainPerHour')::integer
        end <= (
          select count(*) from recent_emails r
          where r.domain = email.domain and r.claimed_at > now() - interval '1 hour'
            and r.kind = any (visitor_kinds) and r.id <> email.id
        ) then 'domain_limit'
        when (limits ->> 'totalPerHour')::integer <= (
          select count(*) from recent_emails r
          where r.claimed_at > now() - interval '1 hour' and r.kind = any (visitor_kinds) and r.id <> email.id
        ) then 'total_limit'
      end;
      if reason is not null then
        withheld_ids := withheld_ids || email.id;
        withheld_reasons := withheld_reasons || reason;
      elsif limits is not null then
        insert into recent_emails (id, kind, mailbox, domain)
        values (email.id, email.kind, email.mailbox, email.domain)
        on conflict (id) do update set claimed_at = now();
      end if;
    end loop;

    if limits is not null then
      for email in
        select f.id, f.kind, f.recipient, f.message_id, lower(f.recipient) as mailbox,
               substring(lower(f.recipient) from '[^@]*$') as domain,
               -- An attempt may have delivered the notice, so it is retried alone, with its Message-ID.
               f.retried_at is null and f.attempts = 0 as is_collectable
        from follow_ups f
        where f.id = any (due_ids) and f.kind = 'staff_notice'
        order by f.id
      loop
        if not email.is_collectable or (limits ->> 'noticesPerHour')::integer > (
          select count(*) from recent_emails r
          where r.mailbox = email.mailbox and r.claimed_at > now() - interval '1 hour'
            and r.kind = email.kind and r.id <> email.id
        ) then
          insert into recent_emails (id, kind, mailbox, domain)
          values (email.id, email.kind, email.mailbox, email.domain)
          on conflict (id) do update set claimed_at = now();
          continue;
        end if;
        -- The lock keeps a worker from claiming the digest before the notice is in it.
        select d.id into open_digest from follow_ups d
        where d.kind = 'staff_digest' and d.recipient = email.recipient and d.state = 'pending'
          and d.attempts = 0 and d.retried_at is null and d.available_at > now() and d.available_at < 'infinity'
        order by d.available_at limit 1
        for update;
        if open_digest is null then
          open_digest := gen_random_uuid();
          insert into follow_ups (id, kind, recipient, message_id, available_at, sweep_at)
          select open_digest, 'staff_digest', email.recipient,
                 '<' || open_digest || '@' || split_part(email.message_id, '@', 2), due.at, due.at
          from (select now() + make_interval(mins => (limits ->> 'digestMinutes')::integer) as at) as due;
        end if;
        insert into digest_entries (id, digest_id) values (email.id, open_digest);
        update follow_ups f set available_at = 'infinity', sweep_at = 'infinity', updated_at = now()
        where f.id = email.id;
        collected_ids := collected_ids || email.id;
      end loop;
    end if;

    return query
    update follow_ups f set
      state = case when verdict.reason is null then 'sending' else 'withheld' end,
      withheld_reason = verdict.reason,
      lease = case when verdict.reason is null then wanted.lease end,
      attempts = f.attempts + case when verdict.reason is null then 1 else 0 end,
      available_at = case
        when verdict.reason is null then now() + make_interval(secs => wanted.seconds) else f.available_at
      end,
      sweep_at = case
        when verdict.reason is null then now() + make_interval(secs => wanted.seconds + sweep_grace_seconds)
        else f.sweep_at
      end,
      updated_at = now()
    from (
      select distinct on (id) id, lease, seconds
      from unnest(ids, leases, lease_seconds) as each (id, lease, seconds)
    ) as wanted
    left join unnest(withheld_ids, withheld_reasons) as verdict (id, reason) on verdict.id = wanted.id
    where f.id = wanted.id and f.id = any (due_ids) and f.id <> all (collected_ids)
    returning f.id, case when f.state = 'sending' then 'claimed' else f.state end, f.lease, f.kind, f.recipient,
              f.message_id, f.attempts, f.lead_id, f.withheld_reason;

    return query
    select f.id, 'collected', null::uuid, f.kind, f.recipient, f.message_id, f.attempts, f.lead_id, null::text
    from follow_ups f where f.id = any (collected_ids);
  end
  $$
  `,
];
