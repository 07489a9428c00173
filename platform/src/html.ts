/** HTML that `html` made of a template, its values escaped. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A value in a template: text is escaped, HTML is taken as it is, null, undefined and false are nothing. */
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

/** A tagged template for HTML: its values are escaped, in attributes as in text; a list becomes its parts in a row. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((source, string, index) => source + toSource(values[index - 1]) + string));
}
