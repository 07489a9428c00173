import { bodyOf, ruleCases, type RuleCase } from '@dune-tide/domain/test/rules';
import { expect } from 'chai';
import { publicForms, withTestApi, type TestResponse, type ProblemBody } from './support.ts';

const atOnce = 20;

describe('the validation of every public form', () => {
  const api = withTestApi();

  async function postAll(path: string, cases: readonly RuleCase[]): Promise<TestResponse[]> {
    const responses: TestResponse[] = [];
    for (let start = 0; start < cases.length; start += atOnce) {
      const batch = cases.slice(start, start + atOnce);
      responses.push(...(await Promise.all(batch.map((ruleCase) => api().post(path, bodyOf(ruleCase))))));
    }
    return responses;
  }

  for (const { form, path } of publicForms) {
    describe(`${form.$id} at ${path}`, () => {
      for (const field of Object.keys(form.properties)) {
        const cases = ruleCases.filter(
          (ruleCase) => ruleCase.form === form && ruleCase.field === field && ruleCase.formOnly === undefined,
        );
        if (cases.length === 0) continue;
        it(`follows the rules of ${field}: ${cases.length} cases`, async () => {
          const responses = await postAll(path, cases);

          const outcome = (response: TestResponse | undefined): unknown =>
            response?.status === 422 ? (response.json() as ProblemBody).errors : response?.status;
          expect(cases.map(({ name }, index) => [name, outcome(responses[index])])).to.deep.equal(
            cases.map(({ name, message }) => [name, message === null ? 201 : [{ field, message }]]),
          );
        });
      }
    });
  }

  it('covers every form and every field', () => {
    for (const { form } of publicForms) {
      const checked = new Set(ruleCases.filter((ruleCase) => ruleCase.form === form).map(({ field }) => field));
      expect([...checked], form.$id).to.have.members(Object.keys(form.properties));
    }
  });
});
