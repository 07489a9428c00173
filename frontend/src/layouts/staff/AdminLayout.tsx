import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { type ReactNode, useRef, useState } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { staffPath } from '../../routing/staff-paths.ts';
import { CloseIcon, MenuIcon } from '../../ui/icons.tsx';
import { pageId, sticky } from '../../styles/layout-constants.ts';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { useMenuClosing } from '../../ui/use-menu-closing.ts';
import { Account } from './Account.tsx';
import { AdminNavigation, type NavigationEntry } from './AdminNavigation.tsx';
import { TideLines } from './TideLines.tsx';

const mainId = 'main';
const menuId = 'admin-menu';
const barHeight = 60;

interface AdminLayoutProps {
  readonly navigation: readonly NavigationEntry[];
  /** Undefined until it is known. */
  readonly signedIn: { readonly name: string; readonly username: string } | undefined;
  readonly onLogout: () => void;
  readonly children: ReactNode;
}

/**
 * The frame of the staff pages: navigation, account and Logout in a sidebar, or in narrow windows behind a menu button
 * in a bar at the top.
 */
export function AdminLayout({ navigation, signedIn, onLogout, children }: AdminLayoutProps) {
  const { isOpen, toggle, button } = useMenu();
  const main = useRef<HTMLElement>(null);

  return (
    <Box
      id={pageId}
      data-area="staff"
      sx={{
        '--admin-top': { xs: `${barHeight}px`, md: '0px' },
        minHeight: '100dvh',
        display: { md: 'grid' },
        gridTemplateColumns: '15.5rem minmax(0, 1fr)',
      }}
    >
      <SkipLink main={main} mainId={mainId} />
      <Box
        component="header"
        data-tone="night"
        sx={{
          displayPrint: 'none',
          // Beside the page it takes no height, and the open menu covers the page.
          position: { xs: isOpen ? 'sticky' : sticky, md: 'sticky' },
          top: 0,
          zIndex: 'appBar',
          display: 'flex',
          flexDirection: 'column',
          height: { xs: isOpen ? '100dvh' : barHeight, md: '100dvh' },
          overflowY: 'auto',
          bgcolor: 'background.nightBand',
          color: 'text.primary',
        }}
      >
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'space-between',
            flexShrink: 0,
            height: { xs: barHeight, md: 'auto' },
            padding: { xs: '0 1.25rem', md: '1.75rem 1.5rem 1.5rem' },
          }}
        >
          <Link
            component={RouterLink}
            to={staffPath.dashboard}
            underline="none"
            sx={{ display: 'flex', borderRadius: 1 }}
          >
            <Wordmark />
          </Link>
          <IconButton
            ref={button}
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={isOpen}
            aria-controls={menuId}
            color="inherit"
            onClick={toggle}
            sx={{ display: { md: 'none' }, marginRight: -1.25, width: 44, height: 44 }}
          >
            {isOpen ? <CloseIcon /> : <MenuIcon />}
          </IconButton>
        </Box>
        <Box
          id={menuId}
          sx={{
            display: { xs: isOpen ? 'flex' : 'none', md: 'flex' },
            flexDirection: 'column',
            flexGrow: 1,
            justifyContent: 'space-between',
            gap: 4,
          }}
        >
          {/* The page's own heading is inert while the menu is open. */}
          {isOpen && <h1 style={visuallyHidden}>Menu</h1>}
          <AdminNavigation entries={navigation} />
          <div>
            <TideLines />
            <Account signedIn={signedIn} onLogout={onLogout} />
          </div>
        </Box>
      </Box>
      <div>
        <Box
          component="main"
          id={mainId}
          ref={main}
          tabIndex={-1}
          sx={{
            maxWidth: '90rem',
            paddingInline: 'clamp(1.25rem, 3.2vw, 3rem)',
            paddingBlock: 'clamp(1.5rem, 3vw, 2.5rem) 5rem',
          }}
        >
          <div inert={isOpen}>{children}</div>
        </Box>
      </div>
    </Box>
  );
}

/** The menu of narrow windows. Its button, Escape and navigation to another page close it. */
function useMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const [openedAt, setOpenedAt] = useState('');
  const { key } = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  if (isOpen && openedAt !== key) setIsOpen(false);

  useMenuClosing(isOpen, () => setIsOpen(false), button);

  const toggle = () => {
    setOpenedAt(key);
    setIsOpen(!isOpen);
  };
  return { isOpen, toggle, button };
}
