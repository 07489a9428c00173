import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { StoredRecipe } from './recipes-api.ts';

interface DraftNoticeProps {
  /** The one that is being changed; a new one when left out. */
  readonly recipe: StoredRecipe | undefined;
  readonly onOpen: () => void;
}

/** Says that something is half written, after a reload or the end of a session. */
export function DraftNotice({ recipe, onOpen }: DraftNoticeProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: '8px 16px',
        marginBottom: 2.5,
        padding: '10px 16px',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Box component="p" sx={{ margin: 0, minWidth: 0, fontSize: '0.875rem', overflowWrap: 'anywhere' }}>
        {recipe ? (
          <>
            Your changes to “<bdi>{recipe.title}</bdi>” are not saved yet.
          </>
        ) : (
          'A recipe that you began is not saved yet.'
        )}
      </Box>
      <Button size="small" variant="outlined" onClick={onOpen}>
        Go on writing
      </Button>
    </Box>
  );
}
