import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { LeadKind } from '@dune-tide/domain/leads';

/** What a visitor fills in. */
export type LeadBody = Readonly<Record<string, string>> & { readonly email: string };

/** Written before a request is sent. */
export interface Asked {
  readonly at: string;
  readonly key: string;
  readonly kind: LeadKind;
  /** As posted; these forms are stored as they come. */
  readonly body: LeadBody;
  /** Counts the requests of one key. */
  readonly attempt: number;
}

/** Written when it is over. No status: the connection broke, or nothing came in time. */
export interface Answered {
  readonly key: string;
  readonly attempt: number;
  readonly status?: number;
  readonly id?: string;
  readonly seconds: number;
}

/** What a load asked for and what it was answered, on disk. */
export interface Ledger {
  readonly file: string;
  asks(request: Asked): void;
  hears(answer: Answered): void;
  /** Reads it back from the disk. */
  read(): { readonly asked: readonly Asked[]; readonly answered: readonly Answered[] };
  close(): void;
}

/** Opens a ledger, one line per entry. */
export function openLedger(file: string): Ledger {
  const handle = openSync(file, 'a');
  const append = (kind: 'asked' | 'answered', entry: Asked | Answered): void =>
    void writeSync(handle, `${JSON.stringify({ [kind]: entry })}\n`);
  return {
    file,
    asks: (request) => append('asked', request),
    hears: (answer) => append('answered', answer),
    read() {
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { asked?: Asked; answered?: Answered });
      return {
        asked: lines.flatMap(({ asked }) => asked ?? []),
        answered: lines.flatMap(({ answered }) => answered ?? []),
      };
    },
    close: () => closeSync(handle),
  };
}
