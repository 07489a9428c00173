/** A request of a load: what was answered, or nothing when the connection was cut. */
export interface Answered {
  readonly status: number | undefined;
  readonly id: string | undefined;
}

/**
 * Posts portfolio requests, each from an address of its own, some at a time.
 * @param onAnswer - called after each answer with how many there are
 */
export async function postPortfolioRequests(
  url: string,
  count: number,
  onAnswer: (answered: number) => void = () => undefined,
): Promise<Answered[]> {
  const answers: Answered[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count) {
      answers.push(
        await postLead(url, 'portfolio-lead', { email: `visitor-${next++}@example.com`, source: 'portfolio_view' }),
      );
      onAnswer(answers.length);
    }
  };
  await Promise.all(Array.from({ length: 10 }, run));
  return answers;
}

/** Posts one lead. @param form - the last part of the path */
export async function postLead(
  url: string,
  form: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  try {
    const response = await fetch(`${url}/api/${form}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const answer = (await response.json()) as { id?: string };
    return { status: response.status, id: answer.id };
  } catch {
    return { status: undefined, id: undefined };
  }
}
