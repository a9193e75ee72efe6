/** The theme of the site: the default one with the colors of the product. */
import theme from 'vitepress/theme';
import './style.css';

export default theme;
