import { createTheme, type ButtonProps, type MantineThemeComponent } from '@mantine/core'
import { colors, tokenOf } from './colors.ts'

const sans =
  "'Inter Variable', 'Inter Fallback', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"

/** Sizes come from CSS variables, because touch needs larger targets and text. */
const CONTROL = 'var(--control-height)'
const CONTROL_SMALL = 'var(--control-height-small)'
const META = 'var(--size-meta)'
const BASE = 'var(--size-base)'
const LINE = 'var(--line-base)'

type Sized = { size?: unknown }

const button = { '--button-height': CONTROL, '--button-padding-x': '10px', '--button-fz': BASE }
const smallButton = { '--button-height': CONTROL_SMALL, '--button-padding-x': '8px', '--button-fz': META }

// Plain objects instead of `Button.extend`: a theme that imports components puts all of them into the first download.
export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  black: tokenOf('--text', false),
  fontFamily: sans,
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: META, sm: BASE, md: BASE, lg: 'var(--size-title)', xl: 'var(--size-record)' },
  lineHeights: { xs: LINE, sm: LINE, md: LINE, lg: 'var(--line-title)', xl: 'var(--line-title)' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '20px' },
  shadows: { sm: 'var(--shadow-float)', md: 'var(--shadow-float)', xl: 'var(--shadow-float)' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--size-title)', lineHeight: 'var(--line-title)' },
      h2: { fontSize: BASE, lineHeight: LINE },
      h3: { fontSize: BASE, lineHeight: LINE },
    },
  },
  colors,
  components: {
    Button: {
      vars: (_theme: unknown, { size }: ButtonProps) => ({
        root: size === 'compact-xs' ? smallButton : button,
      }),
    },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray' },
      vars: (_theme: unknown, { size }: Sized) => ({
        root: { '--ai-size': size === 'sm' ? '24px' : CONTROL },
      }),
    },
    Input: {
      vars: () => ({
        wrapper: { '--input-height': 'var(--field-height)', '--input-fz': 'var(--field-text)' },
      }),
    },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // A list that opens on focus hides the buttons of its dialog, and takes the first Escape.
    Select: { defaultProps: { checkIconPosition: 'right', maxDropdownHeight: 280, openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    // A listbox needs options: the empty text is a disabled one.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true, 'aria-selected': false } },
    SegmentedControl: { defaultProps: { withItemsBorders: false, transitionDuration: 100 } },
    Checkbox: { defaultProps: { size: 'xs', radius: 'xs' } },
    Modal: {
      defaultProps: {
        transitionProps: { duration: 120, transition: 'fade' },
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
        yOffset: '10vh',
        padding: 'lg',
        radius: 'md',
      },
    },
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        transitionProps: { duration: 80 },
        offset: 4,
        withinPortal: true,
      },
    },
    Popover: { defaultProps: { shadow: 'md', radius: 'md', transitionProps: { duration: 80 }, offset: 4 } },
    Tooltip: {
      defaultProps: {
        openDelay: 400,
        transitionProps: { duration: 80 },
        events: { hover: true, focus: true, touch: false },
        fz: 'xs',
      },
    },
  } satisfies Record<string, MantineThemeComponent>,
})
