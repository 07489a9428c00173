import { privacyPath } from '@dune-tide/domain/content/privacy-link';
import { honeypotField } from '@dune-tide/domain/spam';
import { fireEvent, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import CareerApplicationForm from '../../src/features/career-application/CareerApplicationForm.tsx';
import { positionChoice } from '../../src/features/career-application/position-choice.ts';
import {
  change,
  controlOf,
  describedOf,
  fill,
  fine,
  focus,
  formCases,
  isGroup,
  leave,
  open,
  portfolioCase,
  serve,
  stateOf,
  stored,
  submit,
} from './public-form-cases.tsx';

const autocomplete: Readonly<Record<string, string>> = {
  firstName: 'given-name',
  lastName: 'family-name',
  name: 'name',
  email: 'email',
  phone: 'tel',
  company: 'organization',
  portfolio: 'url',
};

const untilFocused = (name: string | undefined) =>
  waitFor(() => expect(document.activeElement?.getAttribute('name')).to.equal(name, 'the focus'));

for (const formCase of [...formCases, portfolioCase]) {
  const { name: title, schema, withoutInput = [], lists, example, rules } = formCase;

  describe(`the fields of the ${title}`, () => {
    it('have an input each, so that visitors can fill them in', () => {
      const { form } = open(formCase);
      const missing = Object.keys(schema.properties).filter((name) => form.querySelector(`[name="${name}"]`) === null);
      expect(missing).to.have.members(withoutInput);
      const names = [...form.querySelectorAll('[name]')].map((field) => field.getAttribute('name'));
      expect([...new Set(names)], 'their order').to.deep.equal([honeypotField, ...Object.keys(example)]);
    });

    it('have a label, their options, what browsers fill in, and a mark if they are required', () => {
      const { form } = open(formCase);
      for (const name of Object.keys(example)) {
        const control = controlOf(form, name);
        const described = describedOf(control);
        const isRequired = schema.required.includes(name);
        if (isGroup(form, name)) {
          expect(described.getAttribute('aria-required'), name).to.equal(String(isRequired));
          const labels = [...form.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)].map(({ value }) => value);
          expect(labels, name).to.deep.equal(lists[name]?.map(({ value }) => value));
          for (const { description } of lists[name] ?? []) screen.getByText(description ?? 'none');
          continue;
        }
        expect(control.labels?.[0]?.textContent, name).to.match(/\w/);
        expect(control.required, name).to.equal(isRequired);
        expect(control.getAttribute('maxlength'), 'a truncated paste would lose text').to.equal(null);
        const options = lists[name];
        if (options === undefined) {
          expect(control.getAttribute('autocomplete'), name).to.equal(autocomplete[name] ?? 'off');
          continue;
        }
        const shown = [...control.querySelectorAll('option')].slice(1);
        expect(shown.map((option) => [option.value, option.textContent])).to.deep.equal(
          options.map(({ value, label }) => [value, label]),
        );
      }
    });

    it('show no message when the visitor only tabs through them', () => {
      const { form } = open(formCase);
      for (const { name } of rules) {
        focus(controlOf(form, name));
        leave(controlOf(form, name));
        expect(stateOf(form, name), name).to.deep.equal(fine);
      }
    });

    it('show the message of their rule at its boundary, once they are changed and left', () => {
      const { form } = open(formCase);
      for (const { name, message, refused, taken } of rules) {
        for (const value of refused) {
          // A radio group cannot be cleared, so it is only missing on submit.
          if (isGroup(form, name) && value === '') continue;
          if (value === '') change(form, name, taken[0] ?? 'any');
          change(form, name, value);
          expect(stateOf(form, name), `${name}: ${value}`).to.deep.equal({ message, isInvalid: true });
        }
        for (const value of taken) {
          change(form, name, value);
          expect(stateOf(form, name), `${name}: ${value}`).to.deep.equal(fine);
        }
      }
    });

    it('show all messages of missing values on submit, which focuses each of them in turn', async () => {
      const { form } = open(formCase);
      const attempts = serve();
      await submit(form);
      for (const { name, message, refused } of rules) {
        expect(stateOf(form, name), name).to.deep.equal(refused.includes('') ? { message, isInvalid: true } : fine);
      }
      const missing = Object.keys(example).flatMap((name) =>
        rules.filter((rule) => rule.name === name && rule.refused.includes('')),
      );
      for (const [index, { name, taken }] of missing.entries()) {
        await untilFocused(name);
        change(form, name, taken[0] ?? 'any');
        if (index < missing.length - 1) await submit(form);
      }
      expect(attempts, 'nothing is sent').to.deep.equal([]);
    });

    it('include a hidden one, whose value is sent if a program fills it in', async () => {
      const { form } = open(formCase);
      const attempts = serve(stored);
      fill(form, example);
      const [hidden, ...others] = form.querySelectorAll<HTMLInputElement>(`[name="${honeypotField}"]`);
      expect(others).to.deep.equal([]);
      if (hidden) hidden.value = 'Cheap watches';
      await submit(form);
      await waitFor(() => expect(attempts).to.have.length(1));
      expect(attempts[0]?.body).to.include({ [honeypotField]: 'Cheap watches' });
      await waitFor(() => expect(hidden?.value).to.equal(''));
    });

    it('are followed by a link to the privacy notice', () => {
      open(formCase);
      expect(screen.getByRole('link', { name: 'Privacy notice' }).getAttribute('href')).to.equal(privacyPath);
    });
  });
}

describe('input with invisible characters and other spellings', () => {
  const typed = {
    firstName: '\u2068Noura\u2069\t',
    lastName: 'al\u00a0Harbi',
    email: 'noura\u200b@example.com',
    phone: '٠٥٠ ٥٥٥ ٠١٢٣',
    position: 'other',
    experience: 'mid',
    portfolio: 'www.noura.example/work',
    coverLetter: `${'x'.repeat(50)}\u200b\t٣`,
  };

  it('stays in the field as typed and is sent normalised', async () => {
    const attempts = serve(() => Response.json({ title: 'Service Unavailable' }, { status: 503 }));
    const { form } = open({ form: <CareerApplicationForm choice={positionChoice()} />, path: '/careers' });
    for (const [name, value] of Object.entries(typed)) change(form, name, value);
    for (const [name, value] of Object.entries(typed)) {
      expect(stateOf(form, name), name).to.deep.equal(fine);
      expect(controlOf(form, name).value, name).to.equal(value);
    }
    fireEvent.submit(form);
    await waitFor(() => expect(attempts).to.have.length(1));
    expect(attempts[0]?.body).to.deep.include({
      ...typed,
      firstName: 'Noura',
      lastName: 'al Harbi',
      email: 'noura@example.com',
      phone: '050 555 0123',
      portfolio: 'https://www.noura.example/work',
    });
    expect(controlOf(form, 'phone').value).to.equal(typed.phone);
  });
});

describe('the position that a visitor chooses outside of the application', () => {
  it('replaces the selected one, however often, and keeps the typed text', async () => {
    const choice = positionChoice();
    const { form } = open({ form: <CareerApplicationForm choice={choice} />, path: '/careers' });
    fill(form, { firstName: 'Thandi', coverLetter: 'A beginning' });
    for (const position of ['Full Stack Developer', 'Lead Generation Specialist'] as const) {
      choice.choose(position);
      await waitFor(() => expect(controlOf(form, 'position').value).to.equal(position));
    }
    change(form, 'position', 'other');
    choice.choose('Lead Generation Specialist');
    await waitFor(() => expect(controlOf(form, 'position').value).to.equal('Lead Generation Specialist'));
    expect(controlOf(form, 'firstName').value).to.equal('Thandi');
    expect(controlOf(form, 'coverLetter').value).to.equal('A beginning');
  });
});
