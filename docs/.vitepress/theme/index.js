/** The default theme with system fonts, so that pages make no requests to other hosts. */
import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
