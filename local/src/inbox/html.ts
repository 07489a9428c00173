/** Markup that is safe to send: made by `html` alone. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.source;
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? character);
  }
  return value.map(render).join('');
}

/**
 * A tagged template for markup: every value is escaped unless it is markup itself.
 *
 * @returns the markup; null, undefined and false become nothing, a list its joined parts
 */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.reduce((source, part, index) => source + render(values[index - 1]) + part));
}
