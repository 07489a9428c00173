/** Windows high contrast: the reader's few colours replace ours, and backgrounds are removed. */
export const forcedColors = '@media (forced-colors: active)';
