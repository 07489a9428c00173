import type { storedLeadResponse } from '@dune-tide/domain/responses/lead';
import type { Json } from '@dune-tide/domain/responses/schema';

/** The response to a posted lead. Both members are undefined if the connection broke; a proxy's response has no id. */
export interface LeadResponse {
  readonly status: number | undefined;
  readonly id: string | undefined;
}

/**
 * Posts one lead.
 * @param url - the address of an API
 * @param form - the last segment of the path, e.g. `contact`
 */
export async function postLead(
  url: string,
  form: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<LeadResponse> {
  try {
    const response = await fetch(`${url}/api/${form}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const isJson = response.headers.get('Content-Type')?.includes('json') === true;
    const text = await response.text();
    const posted = (isJson ? JSON.parse(text) : {}) as Partial<Json<typeof storedLeadResponse>>;
    return { status: response.status, id: posted.id };
  } catch {
    return { status: undefined, id: undefined };
  }
}
