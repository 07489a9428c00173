import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { formatCount } from '../../../format/numbers.ts';
import { stickyTop } from '../../../staff-ui/lists/data-table.ts';
import { focusById } from '../../../staff-ui/lists/focus-by-id.ts';
import { sticky } from '../../../styles/layout-constants.ts';

interface NewLeadsProps {
  readonly count: number;
  readonly isRefreshing: boolean;
  readonly onShow: () => void;
}

/**
 * Announces new leads above the table and loads them on request (docs/PRODUCT.md, "Announcements"). It covers the page
 * rather than moving its rows.
 */
export function NewLeads({ count, isRefreshing, onShow }: NewLeadsProps) {
  const show = () => {
    // The button disappears, so the focus needs another place.
    focusById();
    onShow();
  };
  return (
    <Box
      component="output"
      sx={{
        position: sticky,
        top: { xs: `calc(${stickyTop} + 1rem)`, lg: `calc(${stickyTop} + 1.25rem)` },
        // Above the head of the table.
        zIndex: 4,
        display: 'flex',
        // Between the buttons and the tabs. In narrow windows the gap between them is too small, so this adds to it.
        justifyContent: 'flex-end',
        transform: { xs: 'translateY(-0.625rem)', lg: 'none' },
        alignItems: 'end',
        height: { xs: '1rem', lg: 0 },
        displayPrint: 'none',
      }}
    >
      {count > 0 && !isRefreshing && (
        <Box sx={{ height: 0, display: 'flex', alignItems: 'center' }}>
          <Box
            sx={{
              display: 'flex',
              alignItems: 'center',
              padding: '2px 4px 2px 14px',
              borderRadius: 999,
              border: 1,
              borderColor: 'secondary.main',
              bgcolor: 'background.paper',
              boxShadow: '0 4px 14px rgba(8, 15, 21, 0.2)',
              fontSize: '0.875rem',
              whiteSpace: 'nowrap',
            }}
          >
            <span>
              {formatCount(count)} new {count === 1 ? 'lead' : 'leads'}
            </span>
            <Box component="span" aria-hidden="true" sx={{ marginLeft: 1 }}>
              ·
            </Box>
            <Button
              size="small"
              variant="text"
              onClick={show}
              sx={{ minWidth: 0, minHeight: 26, paddingInline: 1, borderRadius: 999, color: 'secondary.main' }}
            >
              Show
            </Button>
          </Box>
        </Box>
      )}
    </Box>
  );
}
