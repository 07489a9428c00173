import { leadDefinitions, leadStatuses, workedKinds, type LeadStatus, type WorkedKind } from '@dune-tide/domain/leads';
import { figurePeriods } from '@dune-tide/domain/limits';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { BarChart } from '@mui/x-charts/BarChart';
import { LineChart } from '@mui/x-charts/LineChart';
import { DateTime } from 'luxon';
import { type ReactNode, useId } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { formatCount } from '../../format/numbers.ts';
import { leadsSearchPath } from '../../routing/staff-paths.ts';
import type { Trends } from './dashboard-api.ts';

const { chartWeeks, statusDays } = figurePeriods;

/** The user's font size in relation to the usual one. Sizes of a chart grow with it. */
const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
/** The height of a chart in pixels. */
const height = 190 * scale;
const margin = { top: 8 * scale, right: 8 * scale, bottom: 0, left: 0 };
/** The width of an axis of numbers in pixels. */
const numberWidth = 36 * scale;
/** The height of the axis below a chart in pixels. */
const axisHeight = 25 * scale;

const colours = {
  terracotta: 'var(--dt-palette-primary-main)',
  teal: 'var(--dt-palette-secondary-main)',
  sand: '#C9952B',
  green: '#3F8F4F',
  grey: 'var(--dt-palette-text-disabled)',
};

const kindColours: Readonly<Record<WorkedKind, string>> = {
  contact: colours.teal,
  service_inquiry: colours.terracotta,
  career_application: colours.sand,
};
const kinds = workedKinds.map((kind) => ({
  kind,
  label: leadDefinitions[kind].labels.list,
  colour: kindColours[kind],
}));

const statuses: Readonly<Record<LeadStatus, { readonly label: string; readonly colour: string }>> = {
  new: { label: 'New', colour: colours.terracotta },
  contacted: { label: 'Contacted', colour: colours.sand },
  qualified: { label: 'Qualified', colour: colours.teal },
  won: { label: 'Won', colour: colours.green },
  lost: { label: 'Lost', colour: colours.grey },
};

const weekLabel = (weekStart: string): string => DateTime.fromISO(weekStart, { locale: 'en-US' }).toFormat('MMM d');
const share = (onTime: number, due: number): number | null => (due === 0 ? null : Math.round((onTime / due) * 100));

interface ChartsProps extends Trends {
  /** The studio's time zone. */
  readonly timeZone: string;
}

/** The charts of the dashboard (docs/PRODUCT.md, "Figures"). Each has a table for screen readers. */
export default function Charts({ leadsPerWeek, leadsByStatus, answersPerWeek, timeZone }: ChartsProps) {
  const firstWeek = leadsPerWeek[0]?.weekStart ?? '';
  const statusesFrom = DateTime.now().setZone(timeZone).minus({ days: statusDays }).toFormat('yyyy-MM-dd');
  const weeks = leadsPerWeek.map(({ weekStart }) => weekLabel(weekStart));
  const answered = answersPerWeek.map(({ onTime, due }) => share(onTime, due));
  const due = answersPerWeek.reduce((sum, each) => sum + each.due, 0);
  const onTime = answersPerWeek.reduce((sum, each) => sum + each.onTime, 0);
  const all = leadStatuses.reduce((sum, status) => sum + leadsByStatus[status], 0);
  const received = leadsPerWeek.reduce(
    (sum, week) => sum + kinds.reduce((ofWeek, { kind }) => ofWeek + week[kind], 0),
    0,
  );

  return (
    <>
      <Figure
        heading="Leads per week"
        period={`Last ${chartWeeks} weeks`}
        isEmpty={received === 0}
        chart={
          <BarChart
            {...common}
            xAxis={[{ height: axisHeight, scaleType: 'band', data: weeks, ...quietAxis }]}
            yAxis={[{ width: numberWidth, tickMinStep: 1, ...quietAxis }]}
            series={kinds.map(({ kind, label, colour }) => ({
              data: leadsPerWeek.map((week) => week[kind]),
              label,
              stack: 'leads',
              color: colour,
            }))}
          />
        }
        legend={kinds.map(({ kind, label, colour }) => ({
          label,
          colour,
          value: formatCount(leadsPerWeek.reduce((sum, week) => sum + week[kind], 0)),
          path: leadsSearchPath({ tab: kind, from: firstWeek, spam: 'with' }),
        }))}
        columns={['Week of', ...kinds.map(({ label }) => label)]}
        rows={leadsPerWeek.map((week) => [
          weekLabel(week.weekStart),
          ...kinds.map(({ kind }) => formatCount(week[kind])),
        ])}
      />
      <Figure
        heading="Leads by status"
        period={`Received in the last ${statusDays} days`}
        isEmpty={all === 0}
        chart={
          <BarChart
            {...common}
            layout="horizontal"
            // Room for half of the last number of the axis.
            margin={{ ...margin, right: 22 * scale }}
            yAxis={[
              {
                scaleType: 'band',
                data: leadStatuses.map((status) => statuses[status].label),
                width: 76 * scale,
                colorMap: {
                  type: 'ordinal',
                  values: leadStatuses.map((status) => statuses[status].label),
                  colors: leadStatuses.map((status) => statuses[status].colour),
                },
                ...quietAxis,
              },
            ]}
            xAxis={[{ height: axisHeight, tickMinStep: 1, tickNumber: 4, ...quietAxis }]}
            series={[{ data: leadStatuses.map((status) => leadsByStatus[status]) }]}
            grid={{ vertical: true }}
          />
        }
        legend={leadStatuses.map((status) => ({
          ...statuses[status],
          value: formatCount(leadsByStatus[status]),
          path: leadsSearchPath({ status: [status], from: statusesFrom, spam: 'with' }),
        }))}
        columns={['Status', 'Leads']}
        rows={leadStatuses.map((status) => [statuses[status].label, formatCount(leadsByStatus[status])])}
      />
      <Figure
        heading="Answered in time"
        period={`Last ${chartWeeks} weeks, in percent`}
        isEmpty={due === 0}
        chart={
          <LineChart
            {...common}
            xAxis={[{ height: axisHeight, scaleType: 'point', data: weeks, ...quietAxis }]}
            yAxis={[{ min: 0, max: 100, width: numberWidth, tickNumber: 4, ...quietAxis }]}
            series={[
              {
                data: answered,
                label: 'Answered in time',
                color: colours.teal,
                curve: 'linear',
                connectNulls: false,
                showMark: true,
                valueFormatter: (value) => (value === null ? 'None due' : `${value}%`),
              },
            ]}
          />
        }
        legend={[
          {
            label: 'Answered',
            colour: colours.teal,
            path: leadsSearchPath({ response: ['answered'], from: firstWeek }),
          },
          {
            label: 'Overdue',
            colour: 'var(--dt-palette-error-main)',
            path: leadsSearchPath({ response: ['overdue'] }),
          },
        ]}
        note={`${formatCount(onTime)} of ${formatCount(due)} leads were answered in time.`}
        columns={['Week of', 'Due', 'Answered in time', 'Share']}
        rows={answersPerWeek.map((week, index) => [
          weekLabel(week.weekStart),
          formatCount(week.due),
          formatCount(week.onTime),
          typeof answered[index] === 'number' ? `${answered[index]}%` : 'None due',
        ])}
      />
    </>
  );
}

const quietAxis = { disableLine: true, disableTicks: true, tickLabelStyle: { fontSize: 12 * scale } } as const;

const common = {
  height,
  margin,
  hideLegend: true,
  skipAnimation: true,
  grid: { horizontal: true },
  // The table is the alternative for users of the keyboard.
  disableKeyboardNavigation: true,
} as const;

interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  readonly value?: string;
  readonly path: string;
}

interface FigureProps {
  readonly heading: string;
  readonly period: string;
  readonly isEmpty: boolean;
  readonly chart: ReactNode;
  /** Links to the leads behind the chart. */
  readonly legend: readonly LegendEntry[];
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const Legend = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '2px 16px',
  marginTop: 8,
  fontSize: '0.875rem',
  fontVariantNumeric: 'tabular-nums',
  '& li': { display: 'flex', alignItems: 'center', gap: 7, minHeight: 24 },
  '& li::before': {
    content: '""',
    width: 9,
    height: 9,
    borderRadius: 2,
    background: 'var(--tone)',
    forcedColorAdjust: 'none',
  },
});

function Figure({ heading, period, isEmpty, chart, legend, note, columns, rows }: FigureProps) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} sx={{ minWidth: 0, position: 'relative', breakInside: 'avoid' }}>
      <Typography id={id} variant="h3" component="h3">
        {heading}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', marginBottom: 1 }}>
        {period}
      </Typography>
      {isEmpty ? (
        <Box
          sx={{
            display: 'grid',
            placeItems: 'center',
            height,
            border: '1px dashed',
            borderColor: 'divider',
            borderRadius: 1,
            color: 'text.secondary',
            fontSize: '0.875rem',
          }}
        >
          Nothing to show yet.
        </Box>
      ) : (
        <>
          <div aria-hidden="true">{chart}</div>
          {/* In a box, because a table would ignore the size that hides it and would lengthen the page. */}
          <div style={visuallyHidden}>
            <table>
              <caption>
                {heading}, {period.toLowerCase()}
              </caption>
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(([first, ...others]) => (
                  <tr key={first}>
                    <th scope="row">{first}</th>
                    {others.map((value, index) => (
                      <td key={columns[index + 1]}>{value}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {note !== undefined && !isEmpty && (
        <Typography variant="body2" sx={{ marginTop: 1 }}>
          {note}
        </Typography>
      )}
      <Legend>
        {legend.map(({ label, colour, value, path }) => (
          <li key={label} style={{ '--tone': colour } as React.CSSProperties}>
            <Link component={RouterLink} to={path}>
              {label}
            </Link>
            {value}
          </li>
        ))}
      </Legend>
    </Box>
  );
}
