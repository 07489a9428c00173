import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { LeadKind } from '@dune-tide/domain/leads';

/** Fields that a visitor fills in. */
export type LeadBody = Readonly<Record<string, string>> & { readonly email: string };

/** A request, recorded before it is sent. */
export interface Asked {
  readonly at: string;
  readonly key: string;
  readonly kind: LeadKind;
  /** The body as posted; these forms are stored unchanged. */
  readonly body: LeadBody;
  /** Number of the request among those with the same key. */
  readonly attempt: number;
}

/** The result of a request. Without a status, the connection broke or the request timed out. */
export interface Responded {
  readonly key: string;
  readonly attempt: number;
  readonly status?: number;
  readonly id?: string;
  readonly seconds: number;
}

/** A file that records every request of a load and its result. */
export interface Ledger {
  readonly file: string;
  asks(request: Asked): void;
  hears(response: Responded): void;
  /** Reads all entries from the file. */
  read(): { readonly asked: readonly Asked[]; readonly responded: readonly Responded[] };
  close(): void;
}

/** Opens a ledger file with one entry per line. */
export function openLedger(file: string): Ledger {
  const handle = openSync(file, 'a');
  const append = (kind: 'asked' | 'responded', entry: Asked | Responded): void =>
    void writeSync(handle, `${JSON.stringify({ [kind]: entry })}\n`);
  return {
    file,
    asks: (request) => append('asked', request),
    hears: (response) => append('responded', response),
    read() {
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { asked?: Asked; responded?: Responded });
      return {
        asked: lines.flatMap(({ asked }) => asked ?? []),
        responded: lines.flatMap(({ responded }) => responded ?? []),
      };
    },
    close: () => closeSync(handle),
  };
}
