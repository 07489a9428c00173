import SvgIcon, { type SvgIconProps } from '@mui/material/SvgIcon';

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

/** Returns an icon in the line style of the set. */
export function icon(d: string) {
  return function Icon(props: SvgIconProps) {
    return (
      <SvgIcon {...props}>
        <path d={d} {...stroke} />
      </SvgIcon>
    );
  };
}

export const ArrowDownIcon = icon('M12 4v16m0 0-6-6m6 6 6-6');
export const ArrowLeftIcon = icon('M20 12H4m0 0 6-6m-6 6 6 6');
export const ArrowRightIcon = icon('M4 12h16m0 0-6-6m6 6-6 6');
export const CheckIcon = icon('m5 12.5 4.5 4.5L19 7');
export const CloseIcon = icon('m6 6 12 12M18 6 6 18');
export const MenuIcon = icon('M4 8h16M4 16h16');
