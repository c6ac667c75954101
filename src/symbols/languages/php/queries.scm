; Definitions
(namespace_definition name: (namespace_name) @namespace)
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.enum-member
(function_definition name: (name) @name return_type: (_)? @type) @definition.function
(method_declaration name: (name) @name (#eq? @name "__construct")) @definition.constructor
(method_declaration name: (name) @name return_type: (_)? @type) @definition.method
(const_declaration (const_element . (name) @name) @definition.constant)
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @name)) @definition.field)
(property_promotion_parameter type: (_)? @type name: (variable_name (name) @name)) @definition.field
(function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name))) (#eq? @_define "define")) @definition.constant
(program (expression_statement (assignment_expression left: (variable_name (name) @name) right: (object_creation_expression [(name) (qualified_name)] @type)) @definition.variable))
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @definition.variable))

; Imports
(namespace_use_clause) @import
(require_expression) @import
(require_once_expression) @import
(include_expression) @import
(include_once_expression) @import
(namespace_use_clause (name) @ignore)
(namespace_use_clause alias: (name) @ignore)
(namespace_use_clause (qualified_name (name) @ignore))
(namespace_name (name) @ignore)

; Heritage
(class_declaration (base_clause (name) @reference.extends))
(base_clause (name) @reference.extends)
(base_clause (qualified_name prefix: (namespace_name) @receiver (name) @reference.extends))
(base_clause (qualified_name (name) @reference.extends))
(class_interface_clause (name) @reference.implements)
(class_interface_clause (qualified_name prefix: (namespace_name) @receiver (name) @reference.implements))
(class_interface_clause (qualified_name (name) @reference.implements))
(use_declaration (name) @reference.embeds)
(use_declaration (qualified_name prefix: (namespace_name) @receiver (name) @reference.embeds))
(use_declaration (qualified_name (name) @reference.embeds))

; Uses
(attribute [(name) @reference.annotation (qualified_name (name) @reference.annotation)])
(object_creation_expression (name) @reference.new)
(object_creation_expression (qualified_name prefix: (namespace_name) @receiver (name) @reference.new))
(object_creation_expression (qualified_name (name) @reference.new))
(function_call_expression function: (name) @reference.call)
(function_call_expression function: (qualified_name prefix: (namespace_name) @receiver (name) @reference.call))
(function_call_expression function: (qualified_name (name) @reference.call))
(member_call_expression object: (_) @receiver name: (name) @reference.member-call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.member-call)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.member-call)
(scoped_call_expression scope: (name) @reference.type)
(class_constant_access_expression . (name) @reference.type)
(class_constant_access_expression . (qualified_name (name) @reference.type))
(class_constant_access_expression . (name) @receiver . (name) @reference.member (#not-eq? @reference.member "class"))
(class_constant_access_expression . (_) . (name) @ignore (#eq? @ignore "class"))
(class_constant_access_expression . (relative_scope) @receiver . (name) @reference.use)
(scoped_property_access_expression scope: (name) @reference.type)
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @reference.member))
(named_type [(name) @reference.type (qualified_name (name) @reference.type)])
(binary_expression "instanceof" right: (name) @reference.type)
(binary_expression "instanceof" right: (qualified_name (name) @reference.type))
(variable_name (name) @ignore)
(member_access_expression name: (name) @ignore)
(nullsafe_member_access_expression name: (name) @ignore)
(argument name: (name) @ignore)
(use_list (use_as_clause (name) @ignore))
(name) @reference.use

; What binds names
[(function_definition) (method_declaration) (arrow_function)] @scope
(anonymous_function body: (_)) @scope
(simple_parameter type: (_)? @type name: (variable_name) @local)
(variadic_parameter type: (_)? @type name: (variable_name) @local)
(property_promotion_parameter type: (_)? @type name: (variable_name) @local)
(assignment_expression left: (variable_name) @local right: (object_creation_expression [(name) (qualified_name)] @type))
(catch_clause type: (type_list . (named_type) @type) name: (variable_name) @local)
(catch_clause name: (variable_name) @local)
(foreach_statement (variable_name) @local)
(foreach_statement (pair (variable_name) @local))
