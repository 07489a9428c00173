import { home } from '@dune-tide/domain/content/home';
import { contactForm, type ContactMessage, contactServices } from '@dune-tide/domain/forms/contact';
import { optionLabel } from '@dune-tide/domain/forms/option';
import Box from '@mui/material/Box';
import validate from 'virtual:validator/contact';
import { PublicForm } from '../../form/PublicForm.tsx';
import { SelectField } from '../../form/SelectField.tsx';
import { SubmitRow } from '../../form/SubmitRow.tsx';
import { TextField } from '../../form/TextField.tsx';

/** From `md` to `lg`, the form is beside the section's text, and half of it is too narrow for the longest option. */
const fullWidthAtMd = { gridColumn: { md: '1 / -1', lg: 'auto' } };

/** The contact form (docs/PRODUCT.md, "Contact form"). */
export default function ContactForm() {
  return (
    <PublicForm<ContactMessage>
      label="Contact"
      schema={contactForm}
      validate={validate}
      url="/api/contact"
      thanks={{ text: "Your message has been sent successfully. We'll get back to you soon." }}
      failureText="Failed to send message. Please try again."
      guide="contact"
      receipt={({ firstName, lastName, email, service, message }) => [
        ['Name', `${firstName} ${lastName}`],
        ['Email', email],
        ['Service', optionLabel(contactServices, service)],
        ['Message', message],
      ]}
    >
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
          columnGap: 2.5,
          rowGap: 1.25,
        }}
      >
        <TextField name="firstName" autoComplete="given-name" />
        <TextField name="lastName" autoComplete="family-name" />
        <Box sx={fullWidthAtMd}>
          <TextField name="email" type="email" inputMode="email" autoComplete="email" />
        </Box>
        <Box sx={fullWidthAtMd}>
          <SelectField name="service" options={contactServices} placeholder="Select a service" />
        </Box>
        <Box sx={{ gridColumn: '1 / -1' }}>
          <TextField name="message" rows={5} hint={home.contact.messageHint} />
        </Box>
      </Box>
      <Box sx={{ marginTop: 2 }}>
        <SubmitRow label="Send Message" pendingLabel="Sending..." />
      </Box>
    </PublicForm>
  );
}
