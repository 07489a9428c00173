import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { staffPath } from '../../routing/staff-paths.ts';
import { LogoutIcon } from '../../staff-ui/icons.tsx';

interface AccountProps {
  /** Undefined until it is known. */
  readonly signedIn: { readonly name: string; readonly username: string } | undefined;
  readonly onLogout: () => void;
}

const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' };

/** The signed-in user, with a link to their account, and the Logout button. */
export function Account({ signedIn, onLogout }: AccountProps) {
  return (
    <Box sx={{ padding: '1.25rem 1.5rem 1.5rem', borderTop: 1, borderColor: 'divider' }}>
      <Typography sx={{ ...oneLine, fontWeight: 600 }}>
        {signedIn ? (
          <Link component={RouterLink} to={staffPath.account} color="inherit" underline="hover" title="Your account">
            {signedIn.name}
          </Link>
        ) : (
          <Skeleton width="70%" />
        )}
      </Typography>
      {signedIn?.username !== signedIn?.name || signedIn === undefined ? (
        <Typography variant="caption" component="p" sx={{ ...oneLine, color: 'text.secondary' }}>
          {signedIn?.username ?? <Skeleton width="45%" />}
        </Typography>
      ) : null}
      <Button
        variant="outlined"
        size="small"
        fullWidth
        startIcon={<LogoutIcon />}
        onClick={onLogout}
        sx={{ marginTop: 1.5 }}
      >
        Logout
      </Button>
    </Box>
  );
}
