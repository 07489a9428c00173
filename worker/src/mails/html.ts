/** Text that is HTML already. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A value in a template: text and numbers are escaped, HTML and lists of it are taken as they are. */
export type HtmlValue = string | number | Html | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);

function toSource(value: HtmlValue): string {
  if (value instanceof Html) return value.source;
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return value.map(toSource).join('');
}

/** HTML from a template whose values are escaped, in attributes as in text. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const source = strings.map((string, index) => {
    const value = values[index];
    return value === undefined ? string : string + toSource(value);
  });
  return new Html(source.join(''));
}
