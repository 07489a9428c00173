/** Where the reader's own few colours stand for all of ours, and backgrounds are gone. */
export const forcedColors = '@media (forced-colors: active)';
