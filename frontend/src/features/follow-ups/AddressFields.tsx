import { CheckboxField } from '../../form/CheckboxField.tsx';
import { TextField } from '../../form/TextField.tsx';

/** The fields of the form that corrects the address of an email. */
export function AddressFields() {
  return (
    <>
      <TextField name="email" label="Email address" type="email" inputMode="email" hasFirstFocus />
      <CheckboxField name="changeLead" label="Also change the address of the lead" />
    </>
  );
}
