import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { useId, useState } from 'react';
import { useField } from 'react-final-form';
import { Labelled } from '../../form/Labelled.tsx';
import { fieldFontSize } from '../../styles/touch.ts';
import { MarkdownView } from './MarkdownView.tsx';

type View = 'write' | 'preview';

const growing = {
  '& textarea': {
    display: 'block',
    resize: 'vertical',
    fieldSizing: 'content',
    minHeight: '15em',
    maxHeight: '36em',
    lineHeight: 1.55,
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
    ...fieldFontSize('0.875rem'),
  },
};

/** The instructions as Markdown source, with a preview. */
export function InstructionsField() {
  const [view, setView] = useState<View>('write');
  const id = useId();
  const { input } = useField<string>('instructions', { subscription: { value: true } });
  const isPreview = view === 'preview';

  return (
    <div>
      <Tabs
        value={view}
        onChange={(_event, chosen: View) => setView(chosen)}
        aria-label="Write or preview"
        sx={{ marginBottom: 1.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {(['write', 'preview'] as const).map((each) => (
          <Tab
            key={each}
            value={each}
            label={each === 'write' ? 'Write' : 'Preview'}
            id={`${id}-${each}`}
            aria-controls={`${id}-${each}-panel`}
          />
        ))}
      </Tabs>
      <Box
        role="tabpanel"
        id={`${id}-write-panel`}
        aria-labelledby={`${id}-write`}
        // Hidden instead of unmounted, because the form focuses an invalid field.
        sx={isPreview ? visuallyHidden : undefined}
      >
        <Labelled name="instructions" hint="Written in Markdown: # heading, - list, 1. steps, **bold**, `code`.">
          {({ describedBy, onFocus, ...wiring }) => (
            <OutlinedInput
              {...wiring}
              onFocus={() => {
                setView('write');
                onFocus();
              }}
              inputComponent="textarea"
              sx={growing}
              autoComplete="off"
              inputProps={{ 'aria-describedby': describedBy, rows: 10, dir: 'auto', tabIndex: isPreview ? -1 : 0 }}
            />
          )}
        </Labelled>
      </Box>
      <Box
        role="tabpanel"
        id={`${id}-preview-panel`}
        aria-labelledby={`${id}-preview`}
        hidden={!isPreview}
        // Focusable, because the panel may contain no other focusable element.
        tabIndex={0}
        sx={{
          minHeight: '15em',
          padding: '1.25rem',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
        }}
      >
        {isPreview &&
          (input.value.trim() === '' ? (
            <Typography sx={{ color: 'text.secondary' }}>Nothing to preview yet.</Typography>
          ) : (
            <MarkdownView text={input.value} />
          ))}
      </Box>
    </div>
  );
}
