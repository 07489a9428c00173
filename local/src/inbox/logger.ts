/** The part of a pino logger that the inbox uses. */
export interface InboxLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** For callers that want no log. */
export const silentLogger: InboxLogger = {
  info: () => {},
  warn: () => {},
  error: () => {},
};
