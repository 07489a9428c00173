import { auditActions } from '@dune-tide/domain/audit-actions';
import type { AuditEntry } from './audit-log-api.ts';

const labels: Readonly<Record<string, string>> = auditActions;

/** Returns the name of an action for a reader. A later release can have others. */
export function auditLabel(action: string): string {
  const words = action.replaceAll('_', ' ');
  return labels[action] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns who did what an entry reports. */
export function actorLabel({ actor, actorName }: AuditEntry): string {
  if (actorName !== null) return actorName;
  return { staff: 'Former member', operator: 'Operator', system: 'Program', unknown: 'Unknown person' }[actor];
}

/** Returns the network and the device of an entry; undefined if it has none. */
export function originLabel({ network, device }: AuditEntry): string | undefined {
  return [network, device].filter((part) => part !== null).join(', ') || undefined;
}
