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
export { isOpen, leadName, owner, quoted, status, type Person } from './columns.ts';
