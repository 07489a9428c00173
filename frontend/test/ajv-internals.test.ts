import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { expect } from 'chai';
import { importLengthHelper } from '../build/ajv-internals.ts';

describe('the internals of ajv', () => {
  it('count the characters of a text with one helper, which the build can replace', () => {
    const ajv = new Ajv({ code: { source: true, esm: true } });
    const code = standaloneCode(ajv, ajv.compile({ type: 'string', maxLength: 3 }));
    expect(code).to.include('require(');
    const replaced = importLengthHelper(code, './length.js');
    expect(replaced).to.match(/import \{ codePointLength as (\w+) \} from "\.\/length\.js";[^]*\b\1\(data\) > 3/);
    expect(replaced).to.not.include('require(');
  });
});
