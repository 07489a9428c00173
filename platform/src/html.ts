/** Safe HTML: the result of an `html` template, with its values escaped. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A value in a template. Text is escaped, `Html` is inserted unchanged; null, undefined and false render nothing. */
type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toSource(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.source;
  if (typeof value === 'object') return value.map(toSource).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Renders a tagged template as HTML. Values are escaped for text and quoted attributes; lists are concatenated. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((source, string, index) => source + toSource(values[index - 1]) + string));
}
