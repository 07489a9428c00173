export { countActivity } from './activity.ts';
export {
  clockStart,
  dueAt,
  isAnswered,
  needsAnswer,
  overdueBefore,
  promised,
  response,
  soonUntil,
  wasAnswered,
} from './clock.ts';
export { isOpen, leadExpressions, leadName, owner, quoted, status, workStatus, type Person } from './columns.ts';
