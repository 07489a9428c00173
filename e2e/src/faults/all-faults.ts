import type { Fault } from './fault.ts';
import { databaseFaults } from './database.ts';
import { mailFaults } from './mail.ts';
import { notificationFaults } from './notifications.ts';
import { queueFaults } from './queue.ts';
import { processFaults } from './processes.ts';
import { reminderFaults } from './reminders.ts';
import { replyFaults } from './replies.ts';
import { webhookFaults } from './webhooks.ts';

/** Every fault that the system must survive. */
export const allFaults: readonly Fault[] = [
  ...queueFaults,
  ...databaseFaults,
  ...mailFaults,
  ...processFaults,
  ...reminderFaults,
  ...notificationFaults,
  ...replyFaults,
  ...webhookFaults,
];
