import type { WebhookEvent, WebhookLead } from '@dune-tide/db/follow-ups';
import { brand } from '@dune-tide/domain/brand';
import type { WebhookBody } from '@dune-tide/domain/webhooks';

/**
 * Returns the body of a webhook, which is the same on each attempt.
 * @param publicUrl - the origin of the site
 * @returns undefined if the lead was erased after the event, so that there is nothing to report
 */
export function bodyOf(event: WebhookEvent, publicUrl: string): WebhookBody | undefined {
  const { type, leadId, leadVersion, leadKind, createdAt, email, fields } = event;
  const timestamp = event.at.toISOString();
  const identity = { id: leadId, version: leadVersion, kind: leadKind };
  if (type === 'lead.erased') return { type, timestamp, data: identity };
  if (event.after === null || createdAt === null || email === null || fields === null) return undefined;
  const after = changeableOf(event.after);
  const lead = {
    ...identity,
    ...after,
    createdAt: createdAt.toISOString(),
    url: new URL(`/admin/leads/${leadId}`, publicUrl).href,
    email,
    answers: fields,
  };
  if (type !== 'lead.updated') return { type, timestamp, data: lead };
  return { type, timestamp, data: { ...lead, previous: changed(event.before && changeableOf(event.before), after) } };
}

type Changeable = Pick<
  (WebhookBody & { readonly type: 'lead.created' })['data'],
  'status' | 'owner' | 'dueAt' | 'answeredAt' | 'spam'
>;

function changeableOf({ status, owner, clockStart, answeredAt, spam }: WebhookLead): Changeable {
  return {
    status,
    owner,
    dueAt:
      clockStart === null
        ? null
        : new Date(Date.parse(clockStart) + brand.responsePromiseHours * 60 * 60_000).toISOString(),
    answeredAt: answeredAt === null ? null : new Date(answeredAt).toISOString(),
    spam,
  };
}

/** Returns the former values of the members that have changed. */
function changed(before: Changeable | null, after: Changeable): Partial<Changeable> {
  if (before === null) return {};
  return Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name as keyof Changeable]),
    ),
  );
}
