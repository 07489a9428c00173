import Button from '@mui/material/Button';
import { Link as RouterLink, type To } from 'react-router-dom';
import { ArrowLeftIcon } from '../../ui/icons.tsx';

interface BackLinkProps {
  readonly to: To;
  readonly children: string;
}

/** A link to the parent page, above the title. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <Button
      component={RouterLink}
      to={to}
      size="small"
      startIcon={<ArrowLeftIcon />}
      sx={{ marginLeft: -1.5, marginBottom: 1 }}
    >
      {children}
    </Button>
  );
}
