import { createTheme, type ButtonProps, type MantineThemeComponent } from '@mantine/core'
import { colors } from './colors.ts'

const sans =
  "'Inter Variable', 'Inter Fallback', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"

/** Heights come from CSS variables, because fingers need larger targets than pointers. */
const CONTROL = 'var(--control-height)'
const CONTROL_SMALL = 'var(--control-height-small)'

type Sized = { size?: unknown }

const button = { '--button-height': CONTROL, '--button-padding-x': '12px', '--button-fz': '13px' }
const smallButton = { '--button-height': CONTROL_SMALL, '--button-padding-x': '9px', '--button-fz': '12px' }

// Plain objects instead of `Button.extend`: a theme that imports components puts all of them into the first download.
export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  black: '#182125',
  fontFamily: sans,
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '19px' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '6px', sm: '10px', md: '14px', lg: '20px', xl: '28px' },
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '20px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '16px', lineHeight: '1.4' },
      h2: { fontSize: '14px', lineHeight: '1.4' },
      h3: { fontSize: '13px', lineHeight: '1.4' },
    },
  },
  colors,
  components: {
    Button: {
      vars: (_theme: unknown, { size }: ButtonProps) => ({ root: size === 'xs' ? smallButton : button }),
    },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray' },
      vars: (_theme: unknown, { size }: Sized) => ({
        root: { '--ai-size': size === 'sm' ? '24px' : CONTROL_SMALL },
      }),
    },
    Input: {
      vars: (_theme: unknown, { size }: Sized) => ({
        wrapper: {
          '--input-height': size === 'xs' ? CONTROL_SMALL : CONTROL,
          '--input-fz': 'var(--input-text)',
        },
      }),
    },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // A list that opens by itself hides the buttons of its dialog, and takes the first Escape.
    Select: { defaultProps: { checkIconPosition: 'right', maxDropdownHeight: 280, openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    // A list without options is none to a screen reader: what it says instead is one that cannot be chosen.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true, 'aria-selected': false } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Modal: {
      defaultProps: {
        transitionProps: { duration: 120, transition: 'fade' },
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
        yOffset: '10vh',
        padding: 'lg',
      },
    },
    Menu: {
      defaultProps: { shadow: 'md', transitionProps: { duration: 80 }, offset: 4, withinPortal: true },
    },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 }, offset: 4 } },
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
