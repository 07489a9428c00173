import { privacyLine, privacyPath, privacyTitle } from '@dune-tide/domain/content/privacy-link';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';

/** Tells visitors what a form's data is used for, with a link to the privacy notice. */
export function PrivacyLine() {
  return (
    <Typography variant="caption" component="p" sx={{ marginTop: 1.5, color: 'text.secondary' }}>
      {privacyLine} {/* Not a link of the router: the server puts the settings into the page. */}
      <Link href={privacyPath} sx={{ display: 'inline-block', minHeight: 24, lineHeight: '24px' }}>
        {privacyTitle}
      </Link>
    </Typography>
  );
}
