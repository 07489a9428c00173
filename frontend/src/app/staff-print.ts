import type { CSSObject } from '@mui/material/styles';

/** On paper, the staff pages show what one reads on the screen, without controls (docs/PRODUCT.md, "Print"). */
export const staffPrint: CSSObject = {
  '@page': { margin: '12mm' },
  '@media print': {
    // The layout is that of a wide window, so the type is smaller: 9 points for most texts.
    html: { fontSize: '80%' },
    // Browsers do not break a grid row across pages.
    '#page[data-area="staff"], main section[aria-labelledby], [role="dialog"] section': { display: 'block' },
    main: { padding: '0 !important', maxWidth: 'none !important' },
    dl: { breakInside: 'auto !important' as 'auto' },
    'dl > div, dd, tr, li, p': { breakInside: 'avoid' },

    // Controls, except those that show a value.
    '[data-controls], main form:has([type="password"]), section:has(form [type="password"], [role="switch"])': {
      display: 'none !important',
    },
    '.MuiInputBase-root': { outline: '0 !important' },
    '.MuiInputBase-input': { padding: '0 !important' },
    '.MuiOutlinedInput-notchedOutline, .MuiFormHelperText-root, .MuiFormLabel-asterisk': { display: 'none' },
    '[data-printed]': {
      minHeight: '0 !important',
      padding: '0 !important',
      border: '0 !important',
      font: 'inherit !important',
      '& svg': { display: 'none' },
    },

    // A table repeats its header on each page only if it is laid out as a table.
    table: { display: 'table !important', width: '100%', tableLayout: 'auto !important' as 'auto' },
    'thead th': { width: 'auto !important' },
    thead: {
      display: 'table-header-group !important',
      breakInside: 'avoid',
      position: 'static !important' as 'static',
    },
    tbody: { display: 'table-row-group !important', height: 'auto !important' },
    'tr > td, tr > th': { height: 'auto !important' },
    '[data-column="select"], [data-column="actions"]': { display: 'none !important' },
    'table:has(th[data-actions]) tr > :last-child': { display: 'none' },

    // The dialog is part of the document, so that it continues on the next page.
    '.MuiDialog-root': { position: 'static !important' as 'static' },
    '.MuiDialog-container': { display: 'block !important', height: 'auto !important' },
    '.MuiDialog-paper': {
      display: 'block !important',
      position: 'static !important' as 'static',
      height: 'auto !important',
      overflow: 'visible !important',
      boxShadow: 'none !important',
    },
    '.MuiBackdrop-root': { display: 'none' },
  },
};
