import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { ArrowLeftIcon } from '../../ui/icons.tsx';

export function BackToHome() {
  return (
    <Link
      component={RouterLink}
      to="/"
      underline="hover"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 44,
        fontWeight: 600,
        fontSize: '0.9375rem',
        '& svg': { fontSize: '1.25rem', transition: 'transform 200ms' },
        '&:hover svg': { transform: 'translateX(-4px)' },
      }}
    >
      <ArrowLeftIcon />
      Back to Home
    </Link>
  );
}
