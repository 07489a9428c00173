import { brand } from '@dune-tide/domain/brand';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Component, type ReactNode, Suspense } from 'react';
import { loadFailure } from './load-failure.ts';

interface LoadBoundaryProps {
  /** What is shown, e.g. the page's path: with another one what has failed is tried again. */
  readonly subject?: string;
  /** Whether a page with its title is in it, rather than a part of one. */
  readonly isOfPage?: boolean;
  /** Whether it is a form, which goes with what stands in it; its draft stays. */
  readonly isOfForm?: boolean;
  readonly children: ReactNode;
}

interface LoadBoundaryState {
  readonly hasFailed: boolean;
  readonly subject?: string | undefined;
}

/**
 * Around what is loaded on its own (React.lazy): empty until it is there; if it fails, the rest of the page stays and
 * the visitor reads what to do.
 */
export class LoadBoundary extends Component<LoadBoundaryProps, LoadBoundaryState> {
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ subject }: LoadBoundaryProps, state: LoadBoundaryState) {
    return subject === state.subject ? null : { hasFailed: false, subject };
  }

  override state: LoadBoundaryState = { hasFailed: false, subject: this.props.subject };

  override render() {
    if (!this.state.hasFailed) return <Suspense>{this.props.children}</Suspense>;
    const { isOfPage = false, isOfForm = false } = this.props;
    return (
      <Typography component="div" role="alert" sx={{ padding: 3 }}>
        {/* The page's own title and heading are gone with it. */}
        {isOfPage && <title>{brand.name}</title>}
        {isOfPage ? <Heading>{loadFailure.text}</Heading> : loadFailure.text} {isOfForm && `${loadFailure.kept} `}
        <Link href="">{loadFailure.link}</Link>
      </Typography>
    );
  }
}

const Heading = ({ children }: { readonly children: string }) => (
  <Typography variant="h3" component="h1" sx={{ marginBottom: 1 }}>
    {children}
  </Typography>
);
